int c_side(int n);
