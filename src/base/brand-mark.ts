/** The product's logo, an open book, as SVG. */
export const brandMark =
  '<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#7b3f72"/><path d="M16 10.5C13.5 8.6 10 8 6 8v14.5c4 0 7.5.6 10 2.5z" fill="#f3d9ee"/><path d="M16 10.5C18.5 8.6 22 8 26 8v14.5c-4 0-7.5.6-10 2.5z" fill="#fff"/></svg>';
