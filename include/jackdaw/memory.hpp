#pragma once

// Placing data on memory nodes, and finding out where it is: docs/memory.md.
#include "jackdaw/memory/migration.hpp"
#include "jackdaw/memory/page_locations.hpp"
#include "jackdaw/memory/placed_allocator.hpp"
#include "jackdaw/memory/placed_array.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "jackdaw/memory/placed_resource.hpp"
#include "jackdaw/memory/placed_vector.hpp"
#include "jackdaw/memory/placement.hpp"
#include "jackdaw/memory/placement_report.hpp"
#include "jackdaw/memory/replicated.hpp"
#include "jackdaw/memory/scratch.hpp"
#include "jackdaw/memory/this_node.hpp"
