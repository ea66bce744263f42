import { Button, CopyButton, Group, NativeSelect, SegmentedControl, Switch } from '@mantine/core'
import { texts } from '../../text/console.ts'
import type { PaneWidth } from './try-panes.tsx'
import type { TryOptions } from './use-try.ts'

const speeds = [1, 5, 20]

interface TryToolsProps {
  options: TryOptions
  onOptions: (options: TryOptions) => void
  states: readonly { id: string; label: string }[]
  /** Whether there are seats that agents could take. */
  isGroup: boolean
  width: PaneWidth
  onWidth: (width: PaneWidth) => void
  onAgain: () => void
  /** Undefined until it can be joined. */
  link: string | undefined
  onShare: () => void
}

export function TryTools(props: TryToolsProps) {
  const { options, onOptions, states, isGroup, width, onWidth, onAgain, link, onShare } = props
  const text = texts().tryIt
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={text.startAt}
        value={options.startAt ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onOptions({ ...options, startAt: value === '' ? undefined : value })
        }
        data={[{ value: '', label: text.start }, ...states.map(({ id, label }) => ({ value: id, label }))]}
      />
      <NativeSelect
        label={text.speed}
        value={String(options.speed)}
        onChange={({ currentTarget: { value } }) => onOptions({ ...options, speed: Number(value) })}
        data={speeds.map((speed) => ({ value: String(speed), label: text.speeds(speed) }))}
      />
      <SegmentedControl
        aria-label={text.width}
        value={width}
        onChange={(value) => onWidth(value === 'phone' ? 'phone' : 'desktop')}
        data={[
          { value: 'phone', label: text.phone },
          { value: 'desktop', label: text.desktop },
        ]}
      />
      {isGroup && (
        <Switch
          pb={8}
          label={text.fill}
          title={text.fillHint}
          checked={options.fill}
          onChange={({ currentTarget: { checked } }) => onOptions({ ...options, fill: checked })}
        />
      )}
      <Button variant="default" onClick={onAgain}>
        {text.again}
      </Button>
      <CopyButton value={link ?? ''} timeout={4_000}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            disabled={link === undefined}
            onClick={() => {
              copy()
              onShare()
            }}
          >
            {copied ? text.copied : text.copyLink}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
