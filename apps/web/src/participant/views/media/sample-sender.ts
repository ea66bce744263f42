export interface Sample {
  /** Milliseconds: the position in the media, or the time in the state. */
  t: number
  value: number
}

/** The contract takes so many at once. */
const mostInBatch = 1_000

interface Options {
  send(samples: Sample[]): Promise<void>
  /** Waits between two tries; a parameter so that tests need not. */
  pause(ms: number): Promise<void>
}

/** Samples wait here until the room has stored them: what cannot be sent now is sent the next time. */
export function createSampleSender({ send, pause }: Options) {
  let waiting: Sample[] = []
  let newestT = -1
  let sending: Promise<void> | undefined

  /** Only what waits now: what is added meanwhile waits for the next batch, however slow the network is. */
  const sendWaiting = async () => {
    let left = waiting.length
    while (left > 0) {
      const batch = waiting.slice(0, Math.min(left, mostInBatch))
      await send(batch)
      waiting = waiting.slice(batch.length)
      left -= batch.length
    }
  }

  /** Rejects with the refusal; nothing is lost then. One at a time, or samples would be sent twice. */
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
    /** A moment is sampled once, however often it is looked at. */
    add(sample: Sample) {
      if (sample.t === newestT) return
      newestT = sample.t
      waiting.push(sample)
    },
    waitingCount: () => waiting.length,
    /** For the end: tries a few times, because nobody will ask again. True when all is stored. */
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
