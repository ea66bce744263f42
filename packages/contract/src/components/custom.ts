import { Type } from 'typebox'
import { FreeObject, jsonBytesOf } from '../text.ts'
import { defaultTo, inUnit, titled } from './annotations.ts'
import { declareType } from './component-type.ts'
import { Text, Whole } from './settings.ts'

const largestResponseBytes = 64 * 1_024

const description = [
  'Your own page in a sandboxed frame. Its scripts run, but have no access to the participant’s session, cookies or other pages.',
  'It communicates with the platform through messages.',
  'It sends `parent.postMessage({atrium: "ready"}, "*")` once, `{atrium: "respond", value}` with any JSON value of up to 64 KiB, and `{atrium: "resize", height}`.',
  'It receives `{atrium: "init", id, data, variables}` after it is ready, `{atrium: "variables", variables}` when they change, and for each response `{atrium: "recorded"}` or `{atrium: "refused", message}`.',
  'A page that sets no colours is shown in those of the study, in light and dark; one that does stands on white, unless it has `<meta name="color-scheme" content="light dark">`.',
  'With `required`, the state waits for its first response.',
].join(' ')

export const customHtml = declareType({
  type: 'custom_html',
  title: 'Custom HTML',
  description,
  place: 'both',
  settings: Type.Object({
    html: defaultTo('', Text('Page', 500_000, 'HTML of the page; empty when absent', { format: 'html' })),
    height: defaultTo(400, inUnit('px', Whole('Height', 1, 10_000, 'Height in pixels; 400 when absent'))),
    data: defaultTo(
      {},
      titled(
        'Data',
        Type.Optional(
          FreeObject(
            'Passed to the page; any key named `correct` is removed, at any depth; empty when absent',
          ),
        ),
      ),
    ),
  }),
  responds: 'many',
  requiredByDefault: false,
  agentsCannot: 'only the page itself knows what its responses look like',
  records: 'Each value that the page sends.',
  example: {
    settings: {
      html: `<button onclick="parent.postMessage({atrium: 'respond', value: {pressed: true}}, '*')">Press</button>`,
      height: 120,
    },
    response: { pressed: true },
  },
  response: () => Type.Unknown({ title: 'Value', description: 'Any JSON value of up to 64 KiB' }),
  evaluate: (_settings, value) =>
    jsonBytesOf(value) > largestResponseBytes
      ? { kind: 'refused', message: 'The response is larger than 64 KiB.' }
      : { kind: 'accepted', isFinal: false },
})
