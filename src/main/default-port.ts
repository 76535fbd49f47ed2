/** Default value of `PORT`. */
export const defaultPort = 4000;
