import { expect, test } from 'vitest'
import { deleted, isDeletion, isTyping, noTyping, pressed, rhythmOf, type Typing } from './typing.ts'

const typedAt = (...moments: number[]): Typing =>
  moments.reduce((typing, now) => pressed(typing, now), noTyping)

const key = (name: string, more: object = {}) => ({
  ...{ key: name, repeat: false, ctrlKey: false, metaKey: false },
  getModifierState: () => false,
  ...more,
})

test('[R93] the rhythm is the median and the longest time between two keys', () => {
  expect(rhythmOf(typedAt(1_000))).toBeUndefined()
  expect(rhythmOf(typedAt(1_000, 1_120, 1_240, 4_240))).toEqual({
    keyIntervalMedianMs: 120,
    longestPauseMs: 3_000,
  })
  // Of an even number, the mean of the two in the middle.
  expect(rhythmOf(typedAt(0, 100, 300))?.keyIntervalMedianMs).toBe(150)
  expect(typedAt(0, 100, 200, 300)).toMatchObject({ keystrokes: 4, intervals: { 100: 3 } })
})

test('[R93] a key that is held deletes once, and what is deleted without a key is not of the keyboard', () => {
  expect(deleted(noTyping).deletions).toBe(0)
  const held = deleted(deleted(pressed(noTyping, 0)))
  expect(held.deletions).toBe(1)
  expect(deleted(pressed(held, 90))).toMatchObject({ keystrokes: 2, deletions: 2 })
})

test('[R93] keys that write or delete are typing, also those of phones and input methods', () => {
  for (const name of ['a', 'ß', '漢', '😀', ' ', 'Enter', 'Backspace', 'Dead', 'Process', 'Unidentified'])
    expect(isTyping(key(name)), name).toBe(true)
  for (const name of ['Shift', 'Tab', 'ArrowLeft', 'Escape', 'F5', 'AltGraph'])
    expect(isTyping(key(name)), name).toBe(false)
  expect(isTyping(key('a', { repeat: true }))).toBe(false)
  expect(isTyping(key('v', { ctrlKey: true }))).toBe(false)
  expect(isTyping(key('v', { metaKey: true }))).toBe(false)
  expect(isTyping(key('Backspace', { ctrlKey: true }))).toBe(true)
  expect(isTyping(key('@', { ctrlKey: true, getModifierState: () => true }))).toBe(true)
})

test('[R93] cutting, dragging away and what input methods replace are no deletions', () => {
  expect(['deleteContentBackward', 'deleteWordForward', 'deleteSoftLineBackward'].every(isDeletion)).toBe(
    true,
  )
  expect(['deleteByCut', 'deleteByDrag', 'deleteCompositionText', 'insertText'].some(isDeletion)).toBe(false)
})

test('[R93] nothing of what was typed is kept', () => {
  const kept = Object.keys(deleted(typedAt(0, 100)))
  expect(kept.sort()).toEqual(['deletions', 'hasDeleted', 'intervals', 'keystrokes', 'lastAt'])
})
