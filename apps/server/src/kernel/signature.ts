/**
 * Who changed something, as stores are told for the audit: a person (issuer and subject), and the API key if a script did
 * it for them. No subject contains a control character, so nobody's name can look like that of somebody's key.
 */
const separator = '\t'

export const signatureOf = (person: string, keyId: string | undefined): string =>
  keyId === undefined ? person : person + separator + keyId

/** The two parts again. What belongs to somebody belongs to the person, whichever key made it. */
export function readSignature(signature: string): { person: string; keyId: string | undefined } {
  const [person = '', keyId] = signature.split(separator)
  return { person, keyId }
}

export const personIn = (signature: string): string => readSignature(signature).person
