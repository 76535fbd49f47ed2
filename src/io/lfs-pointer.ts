/** First line of a Git LFS pointer, which is in a repository instead of the file itself. */
export const lfsPointerStart = "version https://git-lfs.github.com/spec/v1\n";

/** Maximum size of a Git LFS pointer. */
export const lfsPointer_bytes = 1_024;
