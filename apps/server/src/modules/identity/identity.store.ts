/** Small values that all instances share, such as the key of the development issuer. */
export interface SharedSecretStore {
  /** The kept value; when there is none, `candidate` becomes it. One value wins, however many instances ask. */
  keepFirst(name: string, candidate: string): Promise<string>
}
