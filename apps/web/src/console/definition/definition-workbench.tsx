import type { DefinitionFinding, ExperimentDefinition } from '@atrium/contract'
import { Grid, Stack, Textarea } from '@mantine/core'
import { type ReactNode, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { texts } from '../../text/console.ts'
import { type Finding, locateFindings, type ReadText, readText } from './check-text.ts'
import { DefinitionOutline } from './definition-outline.tsx'
import { FindingsList } from './findings-list.tsx'
import { moveCursor } from './move-cursor.ts'
import { useCheck } from './use-check.ts'

interface DefinitionWorkbenchProps {
  /** Undefined for a new experiment. */
  experimentId: string | undefined
  text: string
  onChange: (text: string) => void
  /** Why the platform refused to save this text; shown until it changes. */
  refused: readonly DefinitionFinding[]
  isReadOnly?: boolean
  /** The buttons, with the definition if it can be saved. */
  actions: (savable: ExperimentDefinition | undefined) => ReactNode
}

/** The definition as JSON, its problems, and an outline. */
export function DefinitionWorkbench(props: DefinitionWorkbenchProps) {
  const { experimentId, text, onChange, refused, isReadOnly = false, actions } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const findingsId = useId()
  // Reading a long definition takes milliseconds; typing must not wait for it.
  const settledText = useDeferredValue(text)
  const read = useMemo(() => readText(settledText), [settledText])
  const check = useCheck(experimentId, settledText, read.isJson && !isReadOnly)
  const findings = useMemo(
    () =>
      read.isJson
        ? locateFindings(check.text, refused.length > 0 ? refused : (check.checked?.findings ?? []))
        : read.findings,
    [read, check.text, check.checked, refused],
  )
  const isSavable = check.isFresh && settledText === text && check.checked?.isValid === true
  const jump = (from: number, to: number) => area.current && moveCursor(area.current, from, to)
  return (
    <Stack>
      {actions(isSavable && read.isJson ? (read.value as ExperimentDefinition) : undefined)}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Textarea
            ref={area}
            className="definition-text"
            label={texts().definition.label}
            value={text}
            onChange={(event) => onChange(event.currentTarget.value)}
            readOnly={isReadOnly}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            aria-describedby={findingsId}
            aria-invalid={findings.some(({ level }) => level === 'error')}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <div id={findingsId}>
              {!isReadOnly && (
                <FindingsList
                  findings={findings}
                  state={!read.isJson || check.isFresh ? 'checked' : check.error ? 'failed' : 'checking'}
                  onRetry={check.again}
                  onChoose={({ place }) => jump(place.from, place.to)}
                />
              )}
            </div>
            <LastOutline read={read} text={settledText} onJump={jump} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

interface LastOutlineProps {
  read: ReadText
  text: string
  onJump: (from: number, to: number) => void
}

/** Keeps the last readable outline while someone types: unfinished JSON can rarely be read. */
function LastOutline({ read, text, onJump }: LastOutlineProps) {
  const outlined = read.isJson ? read.outlined : undefined
  const [known, setKnown] = useState(outlined)
  if (outlined && outlined !== known) setKnown(outlined)
  if (!known) return null
  const jumpTo = (path: string) => {
    const [found]: Finding[] = locateFindings(text, [{ level: 'warning', path, message: '' }])
    if (found) onJump(found.place.from, found.place.from + 1)
  }
  return <DefinitionOutline definition={known} isStale={!outlined} onChoose={jumpTo} />
}
