import { waitUntil } from '@atrium/testkit'
import { expect } from 'vitest'
import { type BrowserWindow, patienceMs } from './browser-window.ts'
import type { Words } from './words.ts'

const wayOn = 'form.state button[type="submit"]'

/** What a participant does, in the terms of the definition: components by their id, options by their position from 1. */
export function participantIn(window: BrowserWindow, words: Words) {
  const part = (id: string) => `[data-component="${id}"]`
  // biome-ignore lint/performance/useDomNodeTextContent: only what is visible counts, and a closed dialog is not.
  const text = () => window.read(() => document.body.innerText, undefined)

  async function sees(expected: string): Promise<void> {
    await waitUntil(
      async () => (await text()).includes(expected) || `“${expected}” is not on the page: ${await text()}`,
      { timeoutMs: patienceMs, everyMs: 100 },
    )
  }

  /** The next state may ask the same: until it is there, the answer that was just sent stands in its place, read-only. */
  const untilOpen = (css: string) =>
    waitUntil(
      () => window.read((at) => document.querySelector(`${at}:enabled`) !== null || `${at} is not open`, css),
      { timeoutMs: patienceMs, everyMs: 50 },
    )

  async function choose(id: string, position: number): Promise<void> {
    const option = `${part(id)} label:nth-child(${position})`
    await untilOpen(`${option} input`)
    await window.click(option)
    await waitUntil(async () => (await isChecked(`${option} input`)) || `${option} is not chosen`)
  }

  const isChecked = (css: string) =>
    window.read((at) => document.querySelector<HTMLInputElement>(at)?.checked === true, css)

  /** With the keyboard, which is exact. */
  async function slide(id: string, value: number): Promise<void> {
    const line = `${part(id)} input[type="range"]`
    await untilOpen(line)
    await window.focus(line)
    await window.key('Home')
    const { max, step } = await window.read((at) => {
      const { max, step } = document.querySelector(at) as HTMLInputElement
      return { max: Number(max), step: Number(step) }
    }, line)
    // A page is a tenth of the line.
    const page = Math.max(step, max / 10)
    for (let at = 0; at < Math.floor(value / page); at++) await window.key('PageUp')
    for (let at = 0; at < (value % page) / step; at++) await window.key('ArrowUp')
    expect(await sliderValue(id)).toBe(value)
  }

  const sliderValue = (id: string) =>
    window.read(
      (at) => Number(document.querySelector<HTMLInputElement>(at)?.value),
      `${part(id)} input[type="range"]`,
    )

  /** One answer in each row of a grid, whose buttons have one name for each row. */
  async function chooseInEachRow(id: string): Promise<void> {
    await window.untilShown(part(id))
    await window.read(
      (at) => {
        const inputs = [...document.querySelectorAll<HTMLInputElement>(at)]
        for (const [index, { name }] of inputs.entries())
          if (inputs.findIndex((other) => other.name === name) === index) inputs[index]?.click()
      },
      `${part(id)} input[type="radio"]`,
    )
  }

  /** What browsers ask for in their own way: a date, or one of a list. */
  async function fillIn(id: string, value: string): Promise<void> {
    await window.untilShown(part(id))
    await window.read(
      ([at, next]) => {
        const field = document.querySelector<HTMLInputElement | HTMLSelectElement>(at)
        const chosen =
          field instanceof HTMLSelectElement
            ? [...field.options].find(({ text }) => text === next)?.value
            : next
        if (!field || chosen === undefined) throw new Error(`${at} cannot be ${next}`)
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, chosen)
        field.dispatchEvent(
          new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
        )
      },
      [`${part(id)} :is(input, select)`, value] as const,
    )
  }

  /** Presses the page's own button, whatever it is called. It leaves with its state, or once only the others are awaited. */
  async function goOn(): Promise<void> {
    await window.untilShown(wayOn)
    await window.read((at) => document.querySelector(at)?.setAttribute('data-pressed', ''), wayOn)
    await window.click(wayOn)
    await waitUntil(
      async () =>
        (await window.read((at) => document.querySelector(at) === null, `${wayOn}[data-pressed]`)) ||
        `the page does not continue: ${await text()}`,
      { timeoutMs: patienceMs, everyMs: 50 },
    )
  }

  return {
    window,
    words,
    text,
    sees,
    choose,
    chooseInEachRow,
    fillIn,
    slide,
    sliderValue,
    /** Reads the instructions and answers their one question. */
    async passCheck(id: string, position: number): Promise<void> {
      await window.clickButton(words.views.instructions.toQuestions)
      await choose(id, position)
      await window.clickButton(words.views.check.submit)
    },
    seesConnectionLost: () => sees(words.room.connectionLost),
    agree: () => window.clickButton(words.views.consent.agree),
    async write(id: string, said: string): Promise<void> {
      await window.focus(`${part(id)} :is(input, textarea)`)
      await window.type(said)
    },
    async say(said: string): Promise<void> {
      await window.focus(`${part('chat')} :is(input, textarea)`)
      await window.type(said)
      await window.clickButton(words.views.chat.send)
      await sees(said)
    },
    goOn,
    untilAt: (id: string) => window.untilShown(part(id)),
    /** Presses a key again and again, for trials that come one after another in a frame. */
    async typeUntilAt(key: string, id: string): Promise<void> {
      const isThere = () => window.read((at) => document.querySelector(at) !== null, part(id))
      await waitUntil(
        async () => {
          if (await isThere()) return true
          await window.type(key)
          return `${id} is not on the page: ${await text()}`
        },
        { timeoutMs: patienceMs, everyMs: 150 },
      )
    },
    /** The browser decides whether a video starts by itself; if not, the page offers a button. */
    async startVideo(): Promise<void> {
      const state = () =>
        window.read(() => {
          const video = document.querySelector('video')
          if (video && (!video.paused || video.currentTime > 0)) return 'playing'
          return document.querySelector('.start-button') ? 'offered' : 'not yet'
        }, undefined)
      await waitUntil(async () => {
        const now = await state()
        if (now === 'offered') await window.clickButton(words.views.media.start).catch(() => undefined)
        return now === 'playing' || `the video is ${now}`
      })
    },
    async leaveStudy(): Promise<void> {
      await window.clickButton(words.room.leave.open)
      await window.clickButton(words.room.leave.confirm)
      await sees(words.done.outcomes.ABANDONED ?? '')
    },
    /** Amounts that the page shows, by component. */
    amount: (id: string) =>
      window.read((at) => document.querySelector(`${at} .payoff-amount`)?.textContent ?? '', part(id)),
  }
}

export type Participant = ReturnType<typeof participantIn>
