import { changeTexts, type ExperimentDefinition } from '@atrium/contract'
import { isKnownType } from '@atrium/contract/components'
import { createFindings, type Findings, pointer } from './findings.ts'
import { settingsFromValues } from './settings-from-values.ts'

/** Notes that participants never see, and what has braces of its own, which are checked elsewhere. */
const notHere: readonly RegExp[] = [
  /^\/(?:description|metadata)$/,
  /^\/completion\/redirectUrl$/,
  /^\/agents\/\d+\/script$/,
  /^\/variables\/[^/]*\/compute$/,
  /^\/states\/\d+\/(?:onEnter|onEnd|rewire|next\/\d+\/when|end\/when)$/,
]

const ofPage = /^\/(?:states\/\d+\/components|globalComponents)\/\d+\/(?:data(?:\/|$)|html$)/

/**
 * R61: `{{…}}` that would stay as it is, because it stands in a setting that is no text: an address, an id, what agents are told.
 * A page of one's own may have a use for it, so there it is a warning once the page has a script.
 */
export function checkUnfilled(written: ExperimentDefinition): Findings {
  const { found, addError, addWarning, isFull } = createFindings()
  const texts = placesOfTexts(written)
  const live = new Set(settingsFromValues(written).map(({ path }) => path))

  function look(value: unknown, path: string): void {
    if (isFull() || texts.has(path) || notHere.some((each) => each.test(path))) return
    if (typeof value === 'string') {
      const insert = live.has(path) ? undefined : insertIn(value)
      if (insert === undefined) return
      const isForScript = ofPage.test(path) && (!path.endsWith('/html') || /<script/i.test(value))
      const add = isForScript ? addWarning : addError
      add(path, `‘${insert}’ is not filled in here; ${ofPage.test(path) ? inPages : inTexts}`)
    } else if (typeof value === 'object' && value !== null && !isOfUnknownType(value, path))
      for (const [name, child] of Object.entries(value)) look(child, path + pointer(name))
  }

  look(written, '')
  return found
}

const inTexts =
  '{{…}} works in texts that participants read in a room (titles and instructions of states, texts and labels of components), and in the addresses, options and numbers of components'
const inPages = 'the script of the page receives the variables in messages'

/** Texts that can have values have findings of their own. */
function placesOfTexts(written: ExperimentDefinition): ReadonlySet<string> {
  const places = new Set<string>()
  changeTexts(written, (text, { path, format, isDeclared }) => {
    if (isDeclared && format !== 'html') places.add(path)
    return text
  })
  return places
}

/** Each position is looked at once, however many braces there are. */
function insertIn(text: string): string | undefined {
  const open = text.indexOf('{{')
  const close = open < 0 ? -1 : text.indexOf('}}', open)
  return close < 0 ? undefined : shortened(text.slice(open, close + 2))
}

const maxShown = 60
const shortened = (insert: string) => (insert.length > maxShown ? `${insert.slice(0, maxShown)}…` : insert)

const aComponent = /^\/(?:states\/\d+\/components|globalComponents)\/\d+$/

/** ADR 9: what a custom client does with its settings is unknown. */
const isOfUnknownType = (value: object, path: string): boolean =>
  aComponent.test(path) && 'type' in value && typeof value.type === 'string' && !isKnownType(value.type)
