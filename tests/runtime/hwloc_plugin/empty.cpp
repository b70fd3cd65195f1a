// What hwloc loads and unloads whenever it reads a machine, as it does its plugins.
