export interface Sample {
  /** Milliseconds: the position in the media, or the time in the state. */
  t: number
  value: number
}

/** The contract accepts this many samples at once. */
const maxBatch = 1_000

interface Options {
  send(samples: Sample[]): Promise<void>
  /** Waits between two attempts; a parameter, so that tests do not have to wait. */
  pause(ms: number): Promise<void>
}

/** Queues samples until the room has stored them: what cannot be sent now is sent next time. */
export function createSampleSender({ send, pause }: Options) {
  let waiting: Sample[] = []
  let newestT = -1
  let sending: Promise<void> | undefined

  /** Only what is queued now: samples added in the meantime go with the next batch, however slow the network is. */
  const sendWaiting = async () => {
    let left = waiting.length
    while (left > 0) {
      const batch = waiting.slice(0, Math.min(left, maxBatch))
      await send(batch)
      waiting = waiting.slice(batch.length)
      left -= batch.length
    }
  }

  /** Rejects if refused, and then loses nothing. Runs once at a time, or samples would be sent twice. */
  const flush = (): Promise<void> => {
    sending ??= sendWaiting().finally(() => {
      sending = undefined
    })
    return sending
  }

  const flushAll = async () => {
    while (waiting.length > 0) await flush()
  }

  return {
    flush,
    /** Keeps one sample for each moment. */
    add(sample: Sample) {
      if (sample.t === newestT) return
      newestT = sample.t
      waiting.push(sample)
    },
    waitingCount: () => waiting.length,
    /** Sends the rest, with a few attempts because there is no next time. Returns true once everything is stored. */
    async finish(tries = 5): Promise<boolean> {
      for (let attempt = 1; attempt <= tries; attempt++) {
        const isStored = await flushAll().then(
          () => true,
          () => false,
        )
        if (isStored) return true
        if (attempt < tries) await pause(500 * attempt)
      }
      return false
    },
  }
}
