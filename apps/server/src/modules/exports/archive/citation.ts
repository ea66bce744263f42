import type { About } from '@atrium/contract'
import type { ManifestFacts } from './manifest.ts'

/** CITATION.cff 1.2.0, which repositories read; undefined without authors, whom it requires. A text of JSON is one of YAML. */
export function citationFileOf({ name, about = {}, now, revisions }: ManifestFacts): string | undefined {
  const { authors = [], licence, keywords = [] } = about
  if (authors.length === 0) return undefined
  const newest = revisions.at(-1)
  return [
    'cff-version: 1.2.0',
    'message: "If you use these data, please cite them as below."',
    'type: dataset',
    `title: ${quoted(name)}`,
    'authors:',
    ...authors.flatMap(authorLines),
    ...(newest === undefined ? [] : [`version: ${quoted(`revision ${newest}`)}`]),
    `date-released: ${new Date(now).toISOString().slice(0, 10)}`,
    ...licenceLines(licence),
    ...(keywords.length === 0 ? [] : ['keywords:', ...keywords.map((keyword) => `  - ${quoted(keyword)}`)]),
    '',
  ].join('\n')
}

/** Names are not taken apart: which part is the family name differs from place to place. */
const authorLines = ({ name, orcid, email }: NonNullable<About['authors']>[number]): string[] => [
  `  - name: ${quoted(name)}`,
  ...(orcid === undefined ? [] : [`    orcid: ${quoted(`https://orcid.org/${orcid}`)}`]),
  ...(email === undefined ? [] : [`    email: ${quoted(email)}`]),
]

function licenceLines(licence: string | undefined): string[] {
  if (licence === undefined) return []
  if (URL.canParse(licence)) return [`license-url: ${quoted(licence)}`]
  return /^[A-Za-z0-9.+-]+$/.test(licence) ? [`license: ${licence}`] : []
}

const quoted = (text: string): string => JSON.stringify(text)
