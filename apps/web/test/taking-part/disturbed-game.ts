import { pace, type World } from '@atrium/testkit'
import { expect } from 'vitest'
import { example } from '../example.ts'
import { openStudy } from '../people.ts'
import { arrive } from './arrive.ts'
import type { TestBrowser } from './browser-window.ts'
import { playRound } from './examples.ts'

const offlineMs = 10_000

/** The public goods game with four people: one reloads, one leaves, and one is offline for ten seconds. */
export async function tellDisturbedGame(world: World, browser: TestBrowser): Promise<void> {
  const study = await openStudy(world, example('public-goods'))
  const people = await arrive(browser, study.link, [undefined, undefined, undefined, undefined])
  const [ann, ben, cleo, dan] = people
  if (!ann || !ben || !cleo || !dan) throw new Error('four people')
  for (const person of people) await person.passCheck('check', 2)
  await playRound(people, (index) => index)

  await ben.slide('contribution', 6)
  await ben.window.reload()
  await ben.untilAt('contribution')
  expect(await ben.sliderValue('contribution')).toBe(6)
  await cleo.leaveStudy()
  await dan.window.setOffline(true)
  await dan.seesConnectionLost()
  await dan.slide('contribution', 9)
  // Pressed without a connection: the answer waits in the page.
  const sent = dan.goOn()
  await ann.slide('contribution', 3)
  await ann.goOn()
  await pace(offlineMs)
  await dan.window.setOffline(false)
  await sent
  // Last, because this study does not wait for people who are away.
  await ben.goOn()
  const rest = [ann, ben, dan]
  for (const [index, person] of rest.entries()) {
    await person.untilAt('earned')
    const amounts = [await person.amount('given'), await person.amount('others'), await person.amount('pot')]
    const others = ['6, 9', '3, 9', '3, 6'][index]
    expect(amounts).toEqual([`${[3, 6, 9][index]} points`, `${others} points`, '18 points'])
  }
  for (const person of rest) await person.goOn()

  for (let round = 3; round <= 5; round++) await playRound(rest, (index) => round + index)
  for (const person of rest) {
    await person.untilAt('total')
    await person.goOn()
  }
  for (const person of rest) await person.sees('PGG-DONE')
  expect(await cleo.text()).not.toContain('PGG-DONE')

  const answers = (await study.exported()).filter(
    ({ type, componentId }) => type === 'component_response' && componentId === 'contribution',
  )
  const given = Object.values(Object.groupBy(answers, ({ participantId }) => participantId)).map((lines) =>
    lines?.map(({ data }) => data.value),
  )
  expect(given.toSorted(byLength)).toEqual([[2], [0, 3, 3, 4, 5], [1, 6, 4, 5, 6], [3, 9, 5, 6, 7]])
  for (const { window } of people) {
    expect(window.errors).toEqual([])
    await window.close()
  }
}

/** Those who left first; then by what they gave first. */
const byLength = (one: unknown[] = [], other: unknown[] = []): number =>
  one.length - other.length || Number(one[0]) - Number(other[0])
