/** Small values that all instances share, such as the key of the development issuer. */
export interface SharedSecretStore {
  /** Returns the stored value, or stores `candidate` if there is none. One value wins, however many instances ask. */
  keepFirst(name: string, candidate: string): Promise<string>
  find(name: string): Promise<string | undefined>
}
