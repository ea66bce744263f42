import { expect, test } from 'vitest'
import { joinLink, prolificLink } from './join-links.ts'

test('the link that participants get', () => {
  expect(joinLink('https://lab.example', 'exp_1')).toBe('https://lab.example/join/exp_1')
})

test('Prolific’s placeholders stay as they are: it fills them in itself', () => {
  expect(prolificLink('https://lab.example', 'exp_1')).toBe(
    'https://lab.example/join/exp_1?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}',
  )
})
