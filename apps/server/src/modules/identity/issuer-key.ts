import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { type CryptoKey, exportJWK, importPKCS8, type JSONWebKeySet } from 'jose'
import type { SharedSecretStore } from './identity.store.ts'

/** Not RSA: making such a key takes a tenth of a second, and signing with it a millisecond. */
const algorithm = 'ES256'

export interface IssuerKey {
  privateKey: CryptoKey
  jwks: JSONWebKeySet
  header: { alg: string; kid: string }
}

/** The key of an issuer of our own. It is kept in the store under `name`, so that several instances are one issuer. */
export async function issuerKey(secrets: SharedSecretStore, name: string, kid: string): Promise<IssuerKey> {
  const candidate = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = await secrets.keepFirst(
    name,
    candidate.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  )
  const publicJwk = await exportJWK(createPublicKey(pem))
  return {
    privateKey: await importPKCS8(pem, algorithm),
    jwks: { keys: [{ ...publicJwk, kid, alg: algorithm, use: 'sig' }] },
    header: { alg: algorithm, kid },
  }
}
