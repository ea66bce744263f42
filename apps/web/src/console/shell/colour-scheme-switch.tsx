import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { MoonIcon, SunIcon } from './icons.tsx'

export function ColourSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const present = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const other = present === 'light' ? 'dark' : 'light'
  const label = other === 'dark' ? texts().shell.useDark : texts().shell.useLight
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={() => setColorScheme(other)}>
        {other === 'dark' ? <MoonIcon /> : <SunIcon />}
      </ActionIcon>
    </Tooltip>
  )
}
