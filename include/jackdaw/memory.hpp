#pragma once

/// Where data lives on a computer with several memory nodes: docs/memory.md.
#include "jackdaw/migration.hpp"
#include "jackdaw/page_locations.hpp"
#include "jackdaw/placed_allocator.hpp"
#include "jackdaw/placed_array.hpp"
#include "jackdaw/placed_memory.hpp"
#include "jackdaw/placed_resource.hpp"
#include "jackdaw/placed_vector.hpp"
#include "jackdaw/placement.hpp"
#include "jackdaw/placement_report.hpp"
#include "jackdaw/replicated.hpp"
#include "jackdaw/this_node.hpp"
