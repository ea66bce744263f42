import { describe, expect, it } from 'vitest'
import { createSampleSender, type Sample } from './sample-sender.ts'

const sample = (t: number): Sample => ({ t, value: t / 10 })
const noPause = async () => undefined

/** A room that can be made to refuse, and that remembers what it stored. */
function room() {
  const stored: Sample[][] = []
  const self = {
    stored,
    refuses: false,
    send: async (samples: Sample[]) => {
      await Promise.resolve()
      if (self.refuses) throw new Error('not now')
      stored.push(samples)
    },
  }
  return self
}

describe('samples of a continuous rating', () => {
  it('are sent in one batch', async () => {
    const to = room()
    const sender = createSampleSender({ send: to.send, pause: noPause })
    for (const t of [0, 250, 500]) sender.add(sample(t))
    await sender.flush()
    expect(to.stored).toEqual([[sample(0), sample(250), sample(500)]])
    expect(sender.waitingCount()).toBe(0)
  })

  it('are kept when they are refused, and sent with the next ones, in order', async () => {
    const to = room()
    const sender = createSampleSender({ send: to.send, pause: noPause })
    sender.add(sample(0))
    to.refuses = true
    await expect(sender.flush()).rejects.toThrow('not now')
    sender.add(sample(250))
    to.refuses = false
    await sender.flush()
    expect(to.stored).toEqual([[sample(0), sample(250)]])
  })

  it('are never in two batches at once', async () => {
    const to = room()
    const sender = createSampleSender({ send: to.send, pause: noPause })
    sender.add(sample(0))
    await Promise.all([sender.flush(), sender.flush()])
    expect(to.stored).toEqual([[sample(0)]])
  })

  it('added while a batch is on its way wait for the next, so that a slow network gets fewer batches', async () => {
    const to = room()
    const sender = createSampleSender({ send: to.send, pause: noPause })
    sender.add(sample(0))
    const sending = sender.flush()
    sender.add(sample(250))
    await sending
    expect(to.stored).toEqual([[sample(0)]])
    expect(sender.waitingCount()).toBe(1)
  })

  it('are split into batches that the contract takes', async () => {
    const to = room()
    const sender = createSampleSender({ send: to.send, pause: noPause })
    for (let t = 0; t < 2_500; t++) sender.add(sample(t))
    await sender.flush()
    expect(to.stored.map((batch) => batch.length)).toEqual([1_000, 1_000, 500])
    expect(to.stored.flat().map(({ t }) => t)).toEqual(Array.from({ length: 2_500 }, (_, t) => t))
  })

  it('of one moment are taken once, even if the first is already sent', async () => {
    const to = room()
    const sender = createSampleSender({ send: to.send, pause: noPause })
    sender.add(sample(250))
    sender.add(sample(250))
    await sender.flush()
    sender.add(sample(250))
    expect(sender.waitingCount()).toBe(0)
    expect(to.stored).toEqual([[sample(250)]])
  })

  it('are tried again at the end, including those added while a batch is on its way', async () => {
    const to = room()
    const pauses: number[] = []
    const sender = createSampleSender({
      send: to.send,
      pause: async (ms) => {
        pauses.push(ms)
        to.refuses = pauses.length < 2
      },
    })
    sender.add(sample(0))
    const onItsWay = sender.flush()
    sender.add(sample(250))
    await onItsWay
    to.refuses = true
    expect(await sender.finish()).toBe(true)
    expect(pauses).toEqual([500, 1_000])
    expect(to.stored.flat()).toEqual([sample(0), sample(250)])
  })

  it('that are never accepted are given up at the end, which is reported', async () => {
    const to = room()
    to.refuses = true
    const sender = createSampleSender({ send: to.send, pause: noPause })
    sender.add(sample(0))
    expect(await sender.finish(3)).toBe(false)
    expect(sender.waitingCount()).toBe(1)
  })
})
