/** Where `npm start` keeps the bundled server. */
export declare const serverFolder: string
