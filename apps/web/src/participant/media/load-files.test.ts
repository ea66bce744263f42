import type { PlayableFile } from '@atrium/contract'
import { waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createFileLoads, withPatience } from './load-files.ts'

const file = (mediaId: string, bytes = 10): PlayableFile => ({
  ...{ mediaId, names: [], kind: 'picture', bytes, url: `/media/x/${mediaId}` },
  expiresAt: '2030-01-01T00:00:00.000Z',
})

/** Loads whose fetches end when the test says so. */
function loading() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  let changes = 0
  const fetchFile = ({ mediaId }: PlayableFile) => {
    begun.push(mediaId)
    const end = Promise.withResolvers<void>()
    ends.set(mediaId, end)
    return end.promise
  }
  const loads = createFileLoads(fetchFile, () => void changes++)
  const settled = (count: number) => waitUntil(() => changes === count || `${changes} changes`)
  return { loads, begun, settled, end: (mediaId: string) => ends.get(mediaId) }
}

test('[R67] what a page needs is loaded before what later pages need, a few at a time', async () => {
  const { loads, begun, end, settled } = loading()
  loads.prepare([file('later'), file('latest')])
  expect(begun).toEqual(['later'])
  loads.want(['a', 'b', 'c', 'd', 'e'].map((id) => file(id)))
  expect(begun).toEqual(['later', 'a', 'b', 'c'])
  end('a')?.resolve()
  await settled(1)
  expect([begun.at(-1), loads.standingOf('a'), loads.standingOf('e')]).toEqual(['d', 'loaded', 'waiting'])
  for (const id of ['b', 'c', 'd', 'later']) end(id)?.resolve()
  await settled(5)
  expect(begun).not.toContain('latest')
  end('e')?.resolve()
  await settled(6)
  expect(begun.at(-1)).toBe('latest')
})

test('[R67] what could not be loaded is tried again when it is wanted again, or skipped', async () => {
  const { loads, begun, end, settled } = loading()
  loads.want([file('a'), file('b')])
  for (const id of ['a', 'b']) end(id)?.reject(new Error('no connection'))
  await settled(2)
  expect(loads.standingOf('a')).toBe('failed')
  loads.want([file('a')])
  expect(begun).toEqual(['a', 'b', 'a'])
  loads.skip(['b'])
  expect([loads.standingOf('a'), loads.standingOf('b')]).toEqual(['loading', 'skipped'])
})

test('[R67] nobody loads hundreds of megabytes that they may never see', () => {
  const { loads, begun } = loading()
  loads.prepare([file('huge', 100_000_001), file('small', 1)])
  expect(begun).toEqual(['small'])
})

test('[R67] a file that does not end counts as one that cannot be loaded', async () => {
  const never = () => new Promise<void>(() => undefined)
  await expect(withPatience(never, 1)(file('a'))).rejects.toThrow('took too long')
})
