import { expect, it } from 'vitest'
import { createStrangers } from './strangers.ts'

const someone = (name: string, address: string, isChecked = false) => ({
  ...{ name, address },
  isBeingChecked: () => isChecked,
})

it('[R24] the most crowded address makes place, the silent before those being checked, the oldest first', () => {
  const strangers = createStrangers<ReturnType<typeof someone>>()
  for (const each of [
    someone('neighbour', 'a'),
    someone('checked', 'b', true),
    someone('older', 'b'),
    someone('newer', 'b'),
    someone('another', 'c'),
  ])
    strangers.add(each)
  const gone: (string | undefined)[] = []
  while (strangers.count() > 0) {
    const next = strangers.mostExpendable()
    if (!next) break
    gone.push(next.name)
    strangers.delete(next)
  }
  expect(gone.slice(0, 2)).toEqual(['older', 'newer'])
  expect(gone.slice(2).sort()).toEqual(['another', 'checked', 'neighbour'])
  expect(strangers.mostExpendable()).toBeUndefined()
})

it('[R24] nobody is counted twice', () => {
  const strangers = createStrangers<ReturnType<typeof someone>>()
  const one = someone('one', 'a')
  for (let times = 0; times < 2; times++) strangers.add(one)
  expect(strangers.count()).toBe(1)
  for (let times = 0; times < 2; times++) strangers.delete(one)
  expect(strangers.count()).toBe(0)
})
