/** Changes that are not saved, and the revision they were made to. */
export interface Draft {
  text: string
  revision: number
}
