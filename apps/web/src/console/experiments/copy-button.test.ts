import { expect, test } from 'vitest'
import { copiedName } from './copy-button.tsx'

test('a copy has the name of its original, cut if it would be too long', () => {
  expect(copiedName('Sleep and mood')).toBe('Sleep and mood (copy)')
  expect([...copiedName('🌙'.repeat(200))]).toHaveLength(197)
})
