export declare const root: string
/** Where `npm start` keeps the bundled server. */
export declare const serverFolder: string
/** Whether everything is installed that `npm ci` would. */
export declare function installedAsWanted(): boolean
