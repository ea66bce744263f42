import { expect, test } from 'vitest'
import { isUnfilledPlaceholder } from './placeholder.ts'

test.each([
  '{{%PROLIFIC_PID%}}',
  '{{PROLIFIC_PID}}',
  '{{ PROLIFIC_PID }}',
  '{{%STUDY_ID%}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what Qualtrics and MTurk write.
  '${e://Field/PROLIFIC_PID}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
  '${workerId}',
  '[[sona_id]]',
  '[%workerId%]',
  '{%pid%}',
  '%PROLIFIC_PID%',
  '%SURVEY_CODE%',
  ' {{%PROLIFIC_PID%}} ',
  'prolific:{{%PROLIFIC_PID%}}',
  '{{}}',
])('%j is an unfilled placeholder', (value) => {
  expect(isUnfilledPlaceholder(value)).toBe(true)
})

test.each([
  '',
  '5f3c9a0b1d2e3f4a5b6c7d8e',
  'prolific:5f3c9a0b1d2e3f4a5b6c7d8e',
  'A1B2C3',
  '{{',
  '{{}',
  '%',
  '%%',
  '50%',
  '100% of {{x}} and more',
  '[1]',
  '$5',
])('%j is not', (value) => {
  expect(isUnfilledPlaceholder(value)).toBe(false)
})
