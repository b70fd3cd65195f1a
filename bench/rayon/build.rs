//! Links the kernels' leaf functions: JACKDAW_LEAF_DIR is the folder that holds libjackdaw_leaf.a.
fn main() {
    println!("cargo:rerun-if-env-changed=JACKDAW_LEAF_DIR");
    let folder = std::env::var("JACKDAW_LEAF_DIR")
        .expect("JACKDAW_LEAF_DIR is not set, expected the folder of libjackdaw_leaf.a");
    println!("cargo:rerun-if-changed={folder}/libjackdaw_leaf.a");
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=static=jackdaw_leaf");
    println!("cargo:rustc-link-lib=dylib=stdc++");
    println!("cargo:rustc-link-lib=dylib=m");
}
