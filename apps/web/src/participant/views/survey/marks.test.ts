import { expect, test } from 'vitest'
import { marksIn, placeIn, steered, withMark, withoutMark } from './marks.ts'

const box = { left: 10, top: 20, width: 200, height: 100 }

test('a place is in percent of the picture, whatever its size on the screen, and never beyond it', () => {
  expect(placeIn(box, 110, 45)).toEqual({ x: 50, y: 25 })
  expect(placeIn({ left: 0, top: 0, width: 300, height: 300 }, 100, 200)).toEqual({ x: 33.3, y: 66.7 })
  expect(placeIn(box, 9, 121)).toEqual({ x: 0, y: 100 })
})

test('arrow keys move the crosshair up to the edges, other keys do not', () => {
  expect(steered({ x: 50, y: 50 }, 'ArrowRight', 1)).toEqual({ x: 51, y: 50 })
  expect(steered({ x: 50, y: 4.2 }, 'ArrowUp', 10)).toEqual({ x: 50, y: 0 })
  expect(steered({ x: 0, y: 0 }, 'Enter', 1)).toBeUndefined()
  expect(steered({ x: 0, y: 0 }, 'constructor', 1)).toBeUndefined()
})

test('a single mark moves to where people point next', () => {
  const first = withMark([], { x: 1, y: 1 }, 1, box)
  expect(first).toEqual({ kind: 'set', number: 1, marks: [{ x: 1, y: 1 }] })
  expect(withMark([{ x: 1, y: 1 }], { x: 2, y: 1 }, 1, box)).toMatchObject({
    kind: 'moved',
    marks: [{ x: 2, y: 1 }],
  })
})

test('of several marks, the one that is pointed at again is removed, and no more are set than there may be', () => {
  const marks = [
    { x: 10, y: 10 },
    { x: 60, y: 50 },
  ]
  expect(withMark(marks, { x: 58, y: 55 }, 3, box)).toEqual({
    ...{ kind: 'removed', number: 2, marks: [{ x: 10, y: 10 }] },
  })
  expect(withMark(marks, { x: 90, y: 90 }, 3, box)).toMatchObject({ kind: 'set', number: 3 })
  expect(withMark(marks, { x: 90, y: 90 }, 2, box)).toEqual({ kind: 'full' })
  expect(withoutMark(marks, 0)).toMatchObject({ number: 1, marks: [{ x: 60, y: 50 }] })
})

test('a draft of another form has no marks', () => {
  expect(marksIn(undefined)).toEqual([])
  expect(marksIn('left')).toEqual([])
  expect(marksIn({ marks: [{ x: 1, y: 2 }, 'x', { x: '1' }] })).toEqual([{ x: 1, y: 2 }])
})
