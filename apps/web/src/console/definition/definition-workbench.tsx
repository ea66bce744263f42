import { Grid, Stack, Textarea } from '@mantine/core'
import { type ReactNode, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { texts } from '../../text/console.ts'
import { type CheckedText, checkText, type Finding, locateIssues } from './check-text.ts'
import { DefinitionOutline } from './definition-outline.tsx'
import type { PlatformVerdict } from './editor-state.ts'
import { FindingsList } from './findings-list.tsx'
import { moveCursor } from './move-cursor.ts'

interface DefinitionWorkbenchProps {
  text: string
  onChange: (text: string) => void
  /** Shown beside the editor until the text changes. */
  verdict: PlatformVerdict | undefined
  isReadOnly?: boolean
  /** The buttons, which need to know whether the text has errors. */
  actions: (checked: CheckedText & { isFresh: boolean }) => ReactNode
}

/** The definition as JSON, its problems, and an outline. */
export function DefinitionWorkbench({
  text,
  onChange,
  verdict,
  isReadOnly = false,
  actions,
}: DefinitionWorkbenchProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const findingsId = useId()
  // Checking a long definition takes milliseconds; typing must not wait for it.
  const checkedText = useDeferredValue(text)
  const checked = useMemo(() => checkText(checkedText), [checkedText])
  const findings = withVerdict(checked.findings, checkedText, verdict)
  const jump = (from: number, to: number) => area.current && moveCursor(area.current, from, to)
  return (
    <Stack>
      {actions({ ...checked, isFresh: checkedText === text })}
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
              <FindingsList findings={findings} onChoose={({ place }) => jump(place.from, place.to)} />
            </div>
            <LastOutline checked={checked} text={checkedText} onJump={jump} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

/** The platform repeats what the editor found and adds what only it can check: the flow. */
function withVerdict(findings: Finding[], text: string, verdict: PlatformVerdict | undefined): Finding[] {
  if (!verdict) return findings
  const known = new Set(findings.map(({ path, message }) => path + message))
  const added = verdict.issues.filter(({ path, message }) => !known.has(path + message))
  const all = [...findings, ...locateIssues(text, added, verdict.level)]
  return all.toSorted((one, other) => Number(one.level === 'warning') - Number(other.level === 'warning'))
}

interface LastOutlineProps {
  checked: CheckedText
  text: string
  onJump: (from: number, to: number) => void
}

/** Keeps the last readable outline while someone types: unfinished JSON can rarely be read. */
function LastOutline({ checked, text, onJump }: LastOutlineProps) {
  const [known, setKnown] = useState(checked.outlined)
  if (checked.outlined && checked.outlined !== known) setKnown(checked.outlined)
  if (!known) return null
  const jumpTo = (path: string) => {
    const [place] = locateIssues(text, [{ path, message: '' }], 'warning')
    if (place) onJump(place.place.from, place.place.from + 1)
  }
  return <DefinitionOutline definition={known} isStale={!checked.outlined} onChoose={jumpTo} />
}
