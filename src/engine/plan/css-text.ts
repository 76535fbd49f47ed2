/** Source of a regular expression, with the flag `s`, for comments and strings in CSS. */
export const cssTextSource = String.raw`\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`;
