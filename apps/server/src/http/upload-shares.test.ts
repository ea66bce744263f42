import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginUpload, lookAt, paceOf, type Upload, type Uploader, whoYields } from './upload-shares.ts'

const [slow, phone, fast] = [2_000, 32_000, 1_000_000]
const nowMs = 100_000

interface Named extends Upload {
  name: string
}

/** Uploads that have run for a minute at these paces, in bytes a second. */
const arriving = (
  ...list: (Partial<Uploader> & { name: string; pace?: number; ageMs?: number })[]
): Named[] =>
  list.map(({ name, pace = fast, ageMs = 60_000, study = 'a', address = 'home', sender = name }) => {
    const upload = beginUpload({ study, address, sender }, nowMs - ageMs)
    return { ...upload, name, receivedBytes: (pace * ageMs) / 1_000 }
  })

const yieldsTo = (uploads: readonly Named[], newcomer: Partial<Uploader>): string | undefined =>
  whoYields(uploads, { study: 'a', address: 'home', sender: 'newcomer', ...newcomer }, nowMs)?.name

describe('[V20,FI8] who yields when all places are taken', () => {
  test('the slowest of the study that has most, however fast all are, so that no study keeps another out', () => {
    const uploads = arriving(
      { name: 'x' },
      { name: 'y', pace: fast - 1 },
      { name: 'z', study: 'b', pace: slow },
    )
    expect(yieldsTo(uploads, { study: 'c' })).toBe('y')
  })

  test('within a study, of the address that has most, and within an address, of the person', () => {
    const uploads = arriving(
      { name: 'school-1', address: 'school', sender: 'pupil' },
      { name: 'school-2', address: 'school', sender: 'pupil', pace: phone },
      { name: 'home', pace: slow },
    )
    expect(yieldsTo(uploads, { address: 'elsewhere' })).toBe('school-2')
    expect(yieldsTo(uploads.slice(0, 2), { address: 'school' })).toBe('school-2')
  })

  test('of the study that has most, one of the person who has most, not the one who has just come', () => {
    const greedy = { sender: 'greedy' }
    const uploads = arriving(
      { name: 'x', ...greedy },
      { name: 'y', ...greedy, pace: slow },
      { name: 'z', ageMs: 1 },
    )
    expect(yieldsTo(uploads, { study: 'b' })).toBe('y')
  })

  test('nobody who is as fast as a phone yields to somebody with an equal share, so a classroom is never refused for its address', () => {
    const classroom = Array.from({ length: 64 }, (_, at) => ({ name: `pupil ${at}`, pace: phone * 0.8 }))
    expect(yieldsTo(arriving(...classroom), {})).toBeUndefined()
  })

  test('between equals the slowest, if it is slow and has had time to show its pace', () => {
    const list = [{ name: 'quick' }, { name: 'slow', pace: slow }, { name: 'slower', pace: slow - 1 }]
    expect(yieldsTo(arriving(...list), {})).toBe('slower')
    expect(yieldsTo(arriving(...list.map((one) => ({ ...one, ageMs: 9_000 }))), {})).toBeUndefined()
  })

  test('of those that have just begun, the newest, which loses least', () => {
    const begun = arriving({ name: 'first', ageMs: 3_000, pace: slow }, { name: 'second', ageMs: 2_000 })
    expect(yieldsTo(begun, { study: 'b' })).toBe('second')
  })

  test('nobody, if nobody is sending', () => expect(yieldsTo([], {})).toBeUndefined())
})

const anyUploader = fc.record({
  study: fc.constantFrom('a', 'b', 'c'),
  address: fc.constantFrom('home', 'school', 'office'),
  sender: fc.constantFrom('1', '2', '3', '4', '5', '6'),
})
/** People belong to one study and one address. */
const asOne = ({ study, address, sender }: Uploader): Uploader => ({
  study,
  address,
  sender: `${study} ${address} ${sender}`,
})
const held = (uploads: readonly Uploader[], share: keyof Uploader, whose: string): number =>
  uploads.filter((upload) => upload[share] === whose).length

test('[V20,FI8] whoever else sends, a newcomer whose study has two places less than another gets in', () => {
  fc.assert(
    fc.property(fc.array(anyUploader, { minLength: 1, maxLength: 40 }), anyUploader, (list, one) => {
      const uploads = list.map((uploader) => beginUpload(asOne(uploader), 0))
      const newcomer = asOne(one)
      const own = held(uploads, 'study', newcomer.study)
      const max = Math.max(...uploads.map(({ study }) => held(uploads, 'study', study)))
      const yielding = whoYields(uploads, newcomer, 0)
      if (max >= own + 2) expect(held(uploads, 'study', yielding?.study ?? '')).toBe(max)
      // Never from a study that has no more than the newcomer's, its own apart.
      if (yielding && yielding.study !== newcomer.study)
        expect(held(uploads, 'study', yielding.study)).toBeGreaterThan(own)
    }),
  )
})

test('[V20,FI8] people who come back whenever they have yielded do not take turns for ever', () => {
  fc.assert(
    fc.property(fc.array(anyUploader, { minLength: 9, maxLength: 40 }), (list) => {
      const everybody = list.map(asOne)
      const places = everybody.slice(0, 8).map((uploader) => beginUpload(uploader, 0))
      const waiting = everybody.slice(8)
      let swaps = 0
      for (let isSettled = false; !isSettled; ) {
        isSettled = true
        for (const [at, newcomer] of waiting.entries()) {
          const yielding = whoYields(places, newcomer, 0)
          if (!yielding) continue
          places[places.indexOf(yielding)] = beginUpload(newcomer, 0)
          waiting[at] = yielding
          isSettled = false
          expect(++swaps).toBeLessThan(1_000)
        }
      }
    }),
    { numRuns: 1_000 },
  )
})

describe('[V20] the pace of an upload', () => {
  const uploader = { study: 'a', address: 'home', sender: 'x' }
  const more = (upload: Upload, bytes: number): Upload => ({
    ...upload,
    receivedBytes: upload.receivedBytes + bytes,
  })

  test('is an average of the last looks, so that an early burst is forgotten', () => {
    let upload = more(beginUpload(uploader, 0), 20_000_000)
    expect(paceOf(upload, 10_000)).toBe(2_000_000)
    for (const atMs of [15_000, 30_000]) upload = lookAt(upload, atMs)
    expect(paceOf(upload, 45_000)).toBe(0)
  })

  test('is too slow at the second look in a row, not at one', () => {
    const first = lookAt(more(beginUpload(uploader, 0), 1_000), 15_000)
    expect(first.isOver).toBe(false)
    expect(lookAt(first, 30_000).isOver).toBe(true)
    // What had arrived while the process was busy is seen after the first look.
    expect(lookAt(more(first, 1_000_000), 30_000).isOver).toBe(false)
  })

  test('may be that of a slow phone for as long as the largest file takes', () => {
    let upload: Upload = beginUpload(uploader, 0)
    for (let atMs = 15_000; upload.receivedBytes < 26_214_400; atMs += 15_000) {
      const looked = lookAt(more(upload, phone * 15), atMs)
      expect(looked.isOver).toBe(false)
      upload = looked
    }
  })
})
