import { limits } from '@atrium/contract'
import type { Clock } from '../clock.ts'
import { UploadFailed } from '../errors.ts'
import type { UploadApi } from './upload-api.ts'
import type { BegunUpload } from './upload-memory.ts'

/** An address must outlive the sending of its part, and clocks differ. */
const reserveMs = 600_000
/** Signed at once: few enough that they are still valid when their turn comes. */
const signedAtOnce = 12

interface Signed {
  partNumber: number
  url: string
}

/** Where to put each part. Addresses that have expired, or were refused, are signed again. */
export function createPartAddresses(api: UploadApi, begun: BegunUpload, clock: Clock) {
  const known = new Map<number, { url: string; untilMs: number }>()
  let signing: Promise<void> | undefined

  function take(signed: readonly Signed[]): void {
    const untilMs = clock.now() + limits.presignedUrlSeconds * 1_000 - reserveMs
    for (const { partNumber, url } of signed) known.set(partNumber, { url, untilMs })
  }

  async function sign(partNumbers: number[]): Promise<void> {
    take((await api.sign(begun, partNumbers)).presignedUrls)
  }

  function addressOf(partNumber: number): string | undefined {
    const address = known.get(partNumber)
    return address && address.untilMs > clock.now() ? address.url : undefined
  }

  return {
    take,
    /** `upcoming`: the parts that will be asked for next, this one first. */
    async of(partNumber: number, upcoming: readonly number[]): Promise<string> {
      // Several parts may need an address at the same time; one call is enough.
      if (!addressOf(partNumber)) await signing
      const known = addressOf(partNumber)
      if (known) return known
      signing = sign([partNumber, ...upcoming].slice(0, signedAtOnce)).finally(() => {
        signing = undefined
      })
      await signing
      const signed = addressOf(partNumber)
      if (!signed) throw new UploadFailed(`The server has not signed an address for part ${partNumber}.`)
      return signed
    },
    refuse: (partNumber: number): void => void known.delete(partNumber),
  }
}
