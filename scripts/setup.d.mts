/** Where `npm start` keeps the bundled server. */
export const serverFolder: string
