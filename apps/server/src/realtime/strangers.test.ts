import { expect, it } from 'vitest'
import { createStrangers } from './strangers.ts'

const someone = (name: string, address: string, isChecked = false) => ({
  name,
  address,
  isBeingChecked: () => isChecked,
})

type Someone = ReturnType<typeof someone>

const strangersOf = (people: Someone[]) => {
  const strangers = createStrangers<Someone>()
  for (const each of people) strangers.add(each)
  return strangers
}

/** Makes place as often as is asked for, as long as there is anyone. */
function makePlace(strangers: ReturnType<typeof strangersOf>, times: number): string[] {
  return Array.from({ length: times }).flatMap(() => {
    const next = strangers.mostExpendable()
    if (!next) return []
    strangers.delete(next)
    return [next.name]
  })
}

const crowd = (size: number, name: string, addressOf: (index: number) => string, isChecked = false) =>
  Array.from({ length: size }, (_, index) => someone(`${name} ${index}`, addressOf(index), isChecked))

it('[R24] who has been silent for longest makes place, whatever their address, then who is being checked', () => {
  const strangers = strangersOf([
    someone('checked', 'b', true),
    someone('oldest', 'a'),
    someone('older', 'b'),
    someone('newer', 'b'),
    someone('newest', 'c'),
    someone('checked later', 'c', true),
  ])
  expect(makePlace(strangers, 10)).toEqual([
    ...['oldest', 'older', 'newer', 'newest'],
    ...['checked', 'checked later'],
  ])
  expect(strangers.mostExpendable()).toBeUndefined()
  expect(strangers.count()).toBe(0)
})

it('[R24] a flood from ever new addresses does not crowd out a school behind one address', () => {
  const flood = crowd(900, 'flood', (index) => `198.51.${index >> 8}.${index & 255}`)
  const school = crowd(100, 'pupil', () => '203.0.113.1')
  const strangers = strangersOf([...flood, ...school])
  expect(makePlace(strangers, 900)).toEqual(flood.map(({ name }) => name))
})

it('[R24] a flood from one network crowds out itself before anyone who came earlier', () => {
  for (const addressOf of [() => '198.51.100.1', (index: number) => `2001:db8:0:7::${index.toString(16)}`]) {
    const early = crowd(100, 'early', (index) => `203.0.113.${index}`)
    const flood = crowd(900, 'flood', addressOf)
    const gone = makePlace(strangersOf([...early, ...flood]), 601)
    expect(gone).toEqual([...flood.slice(0, 600).map(({ name }) => name), 'early 0'])
  }
})

it('[R24] who is being checked is not part of a crowd', () => {
  const early = someone('early', '203.0.113.1')
  const checked = crowd(600, 'checked', () => '198.51.100.1', true)
  const silent = crowd(300, 'silent', () => '198.51.100.1')
  expect(makePlace(strangersOf([early, ...checked, ...silent]), 2)).toEqual(['early', 'silent 0'])
})

it('[R24] nobody is counted twice', () => {
  const strangers = createStrangers<ReturnType<typeof someone>>()
  const one = someone('one', 'a')
  for (let times = 0; times < 2; times++) strangers.add(one)
  expect(strangers.count()).toBe(1)
  for (let times = 0; times < 2; times++) strangers.delete(one)
  expect(strangers.count()).toBe(0)
})
