import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who a guest is within one experiment, and the secret by which the browser can prove it again. */
export interface GuestPerson {
  subject: string
  /** G12: anybody can know an external id, so the devices that say the same one are told apart. */
  device: string
  secret: string
}

const bytesOfId = 32
const bytesOfDevice = 16
const bytesOfProof = 16

/**
 * R51 without a table: a secret is the guest's id, the device's number, and a proof that this server issued both for
 * this experiment. The id is random, or derived one-way from the id that a recruiting site gave: what is stored names
 * nobody.
 */
export function createGuestPeople(key: Buffer) {
  const mac = (...parts: string[]): Buffer => createHmac('sha256', key).update(JSON.stringify(parts)).digest()

  const proofOf = (experimentId: string, idAndDevice: Buffer): Buffer =>
    mac('secret', experimentId, idAndDevice.toString('base64url')).subarray(0, bytesOfProof)

  function personWith(experimentId: string, id: Buffer, device: Buffer): GuestPerson {
    const proven = Buffer.concat([id, device])
    return {
      subject: `guest_${id.toString('base64url')}`,
      device: device.toString('base64url'),
      secret: `gst_${Buffer.concat([proven, proofOf(experimentId, proven)]).toString('base64url')}`,
    }
  }

  const onNewDevice = (experimentId: string, id: Buffer): GuestPerson =>
    personWith(experimentId, id, randomBytes(bytesOfDevice))

  /** Undefined if the secret was not issued for this experiment. */
  function withSecret(experimentId: string, secret: string): GuestPerson | undefined {
    const bytes = Buffer.from(/^gst_([\w-]{86})$/.exec(secret)?.[1] ?? '', 'base64url')
    const proven = bytes.subarray(0, bytesOfId + bytesOfDevice)
    const [proof, expected] = [bytes.subarray(bytesOfId + bytesOfDevice), proofOf(experimentId, proven)]
    const isRight = proof.length === expected.length && timingSafeEqual(proof, expected)
    return isRight
      ? personWith(experimentId, proven.subarray(0, bytesOfId), proven.subarray(bytesOfId))
      : undefined
  }

  return {
    withSecret,
    newcomer: (experimentId: string): GuestPerson => onNewDevice(experimentId, randomBytes(bytesOfId)),
    /**
     * In another experiment the same id is another person: nobody can be followed from study to study. A secret of
     * the same person says which device it is; that of another person says nothing.
     */
    withExternalId(experimentId: string, externalId: string, secret?: string): GuestPerson {
      const person = onNewDevice(experimentId, mac('external id', experimentId, externalId))
      const before = secret === undefined ? undefined : withSecret(experimentId, secret)
      return before?.subject === person.subject ? before : person
    },
  }
}
