import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who a guest is within one experiment, and the secret by which the browser can prove it again. */
export interface GuestPerson {
  subject: string
  secret: string
}

const bytesOfId = 32

/**
 * R51 without a table: a secret is the guest's id and a proof that this server issued it for this experiment. The id
 * is random, or derived one-way from the id that a recruiting site gave: what is stored names nobody.
 */
export function createGuestPeople(key: Buffer) {
  const mac = (...parts: string[]): Buffer => createHmac('sha256', key).update(JSON.stringify(parts)).digest()

  const proofOf = (experimentId: string, id: Buffer): Buffer =>
    mac('secret', experimentId, id.toString('base64url'))

  const personWith = (experimentId: string, id: Buffer): GuestPerson => ({
    subject: `guest_${id.toString('base64url')}`,
    secret: `gst_${Buffer.concat([id, proofOf(experimentId, id)]).toString('base64url')}`,
  })

  return {
    newcomer: (experimentId: string): GuestPerson => personWith(experimentId, randomBytes(bytesOfId)),
    /** In another experiment the same id is another person: nobody can be followed from study to study. */
    withExternalId: (experimentId: string, externalId: string): GuestPerson =>
      personWith(experimentId, mac('external id', experimentId, externalId)),
    /** Undefined if the secret was not issued for this experiment. */
    withSecret(experimentId: string, secret: string): GuestPerson | undefined {
      const bytes = Buffer.from(/^gst_([\w-]{86})$/.exec(secret)?.[1] ?? '', 'base64url')
      const [id, proof] = [bytes.subarray(0, bytesOfId), bytes.subarray(bytesOfId)]
      const expected = proofOf(experimentId, id)
      const isRight = proof.length === expected.length && timingSafeEqual(proof, expected)
      return isRight ? personWith(experimentId, id) : undefined
    },
  }
}
