import { type RunningHash, wholeFile } from '@atrium/client'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { CallFailed } from '../../api/call.ts'

/** About a minute and a half in a row. After that the researcher is told, and decides. */
const maxFailures = 8
const longestPauseMs = 20_000
const passingStatuses = new Set([0, 408, 425, 429])

interface FileRequest {
  /** Asks for the file, or for what `resume` says is missing. */
  request(resume: string | undefined): Promise<Response>
  signal: AbortSignal
  /** The connection broke off; the rest will be asked for. */
  onInterrupted(): void
}

/** The bytes of a file. Continued where it stopped when the connection breaks off, if the platform can do that. */
export function openFile({ request, signal, onInterrupted }: FileRequest) {
  let hasBegun = false
  return wholeFile({
    open: request,
    hash: runningSha256(),
    onBegun() {
      hasBegun = true
    },
    async beforeRetry(error, failures) {
      if (!hasBegun || signal.aborted || failures > maxFailures || !isPassing(error)) throw error
      onInterrupted()
      signal.throwIfAborted()
      await pause(Math.min(longestPauseMs, 500 * 2 ** failures), signal)
    },
  })
}

/** The browser's own wants everything at once, and is there only over HTTPS. */
function runningSha256(): RunningHash {
  const hash = sha256.create()
  return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.clone().digest()) }
}

const isPassing = (error: Error): boolean =>
  !(error instanceof CallFailed) || error.status >= 500 || passingStatuses.has(error.status)

/** Rejects at once when it is cancelled. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', reject, { once: true })
  })
