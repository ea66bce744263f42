import { CopyButton, Menu } from '@mantine/core'
import { texts } from '../../text/console.ts'

/** Copies a text, and says so in its place. */
export const CopyItem = ({ value, label }: { value: string; label: string }) => (
  <CopyButton value={value} timeout={2_000}>
    {({ copied, copy }) => (
      <Menu.Item closeMenuOnClick={false} onClick={copy} aria-live="polite">
        {copied ? texts().media.actions.copied : label}
      </Menu.Item>
    )}
  </CopyButton>
)
