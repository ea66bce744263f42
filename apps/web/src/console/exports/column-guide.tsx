import { Code, Table, Text, Title } from '@mantine/core'
import { columns } from './columns.ts'

export function ColumnGuide() {
  return (
    <section aria-labelledby="columns">
      <Title order={2} size="h4" id="columns" mb="xs">
        What the fields mean
      </Title>
      <Table maw={860} layout="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Meaning</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map(({ name, meaning }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Code>{name}</Code>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{meaning}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
