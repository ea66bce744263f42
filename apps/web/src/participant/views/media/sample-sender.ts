export interface Sample {
  /** Milliseconds: the position in the media, or the time in the state. */
  t: number
  value: number
}

/** The most samples that the contract accepts at once. */
const mostInBatch = 1_000

interface Options {
  send(samples: Sample[]): Promise<void>
  /** Waits between two attempts; a parameter, so that tests need not wait. */
  pause(ms: number): Promise<void>
}

/** Keeps samples until the room has stored them: what cannot be sent now is sent next time. */
export function createSampleSender({ send, pause }: Options) {
  let waiting: Sample[] = []
  let newestT = -1
  let sending: Promise<void> | undefined

  /** Sends only what is waiting now; samples added meanwhile wait for the next batch, however slow the network. */
  const sendWaiting = async () => {
    let left = waiting.length
    while (left > 0) {
      const batch = waiting.slice(0, Math.min(left, mostInBatch))
      await send(batch)
      waiting = waiting.slice(batch.length)
      left -= batch.length
    }
  }

  /** Rejects with the refusal; nothing is lost. One at a time, or samples would be sent twice. */
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
    /** Each moment is sampled once. */
    add(sample: Sample) {
      if (sample.t === newestT) return
      newestT = sample.t
      waiting.push(sample)
    },
    waitingCount: () => waiting.length,
    /** For the end: tries a few times, because there is no next time. Resolves to true when everything is stored. */
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
