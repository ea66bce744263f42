import { List, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { isObject } from '../builder/core/document.ts'
import { placeInWords } from '../builder/problems/place-in-words.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { type Change, changesBetween } from './changes.ts'
import { useRevision } from './revision-queries.ts'

/** Nobody reads more, and a page of tens of thousands would stand still. */
const maxShown = 200

interface RevisionChangesProps {
  experimentId: string
  revision: number
  definition: unknown
}

/** What somebody changed by saving a revision, in words. */
export function RevisionChanges({ experimentId, revision, definition }: RevisionChangesProps) {
  const text = texts().revisions
  if (revision === 1) return <Text size="sm">{text.first}</Text>
  return (
    <section aria-labelledby="changes">
      <Title order={3} size="h5" id="changes" mb="xs">
        {text.changes(revision - 1)}
      </Title>
      <ChangeList experimentId={experimentId} former={revision - 1} definition={definition} />
    </section>
  )
}

interface ChangeListProps {
  experimentId: string
  former: number
  definition: unknown
  max?: number
}

/** What differs from an earlier revision, one change a line. */
export function ChangeList({ experimentId, former, definition, max = maxShown }: ChangeListProps) {
  const query = useRevision(experimentId, former)
  return (
    <Loaded query={query} skeletonHeight={120}>
      {({ definition: before }) => {
        const changes = changesBetween(before, definition)
        if (changes.length === 0) return <Text size="sm">{texts().revisions.unchanged}</Text>
        return (
          <List size="sm">
            {changes.slice(0, max).map((change) => (
              <List.Item key={`${change.kind} ${change.pointer}`} style={{ overflowWrap: 'anywhere' }}>
                {inWords(change, change.kind === 'removed' ? before : definition)}
              </List.Item>
            ))}
            {changes.length > max && <List.Item>{texts().revisions.more(changes.length - max)}</List.Item>}
          </List>
        )
      }}
    </Loaded>
  )
}

function inWords({ kind, pointer, before, after }: Change, document: unknown): string {
  const text = texts().revisions
  const place = placeInWords(document, pointer)
  const [was, is] = [inShort(before), inShort(after)]
  if (kind === 'changed' && was !== undefined && is !== undefined) return text.changedValue(place, was, is)
  if (kind === 'added' && is !== undefined) return text.addedValue(place, is)
  return text.change[kind](place)
}

const longest = 120

/** Undefined for what would have to be read as JSON. */
function inShort(value: unknown): string | undefined {
  if (value === undefined || isObject(value)) return undefined
  if (Array.isArray(value))
    return value.some((item) => typeof item === 'object') ? undefined : cut(value.join(', '))
  return typeof value === 'string' ? `“${cut(value)}”` : String(value)
}

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)
