import { describe, expect, test } from 'vitest'
import { createSuggestions, nearestName } from './nearest.ts'

describe('nearest name', () => {
  test.each([
    ['multipleChoice', 'multiple_choice'],
    ['multiple-chioce', 'multiple_choice'],
    ['slidr', 'slider'],
    ['html', 'custom_html'],
    ['likert_scale', 'likert'],
    ['zebra', undefined],
    ['x'.repeat(65), undefined],
  ])('%s is close to %s', (written, nearest) => {
    expect(nearestName(written, ['slider', 'multiple_choice', 'likert', 'custom_html'])).toBe(nearest)
  })

  test('of several close names, the closest wins, and of those the first', () => {
    expect(nearestName('points', ['paints', 'point', 'pointz', 'points_'])).toBe('points_')
    expect(nearestName('points', ['paints', 'pointz'])).toBe('paints')
  })

  test('[R60] compares a bounded number of names, however many there are', () => {
    let looked = 0
    function* names() {
      for (;;) {
        looked += 1
        yield `variable_${looked}`
      }
    }
    expect(nearestName('zebra', names())).toBeUndefined()
    expect(looked).toBeLessThanOrEqual(201)
  })

  test('[R60] makes suggestions only for the first mistakes', () => {
    const suggest = createSuggestions()
    const suggested = Array.from({ length: 50 }, () => suggest('slidr', ['slider']))
    expect(suggested.filter((name) => name === 'slider')).toHaveLength(20)
  })
})
