// A libtbb whose scheduler nobody knows.
extern "C" const char* TBB_runtime_version() { return "2099.0"; }
extern "C" int TBB_runtime_interface_version() { return 12990; }
