/** A place between two events of a stream: before the event of this index in the message of this sequence. */
export interface Position {
  readonly sequence: number;
  readonly index: number;
}

/** The name of a Workspace's feed in its cursors. They hold with any filter. */
export function feedOf(workspaceId: string): string {
  return `events ${workspaceId}`;
}

/** A position as the text of a cursor. With the creation of the stream, a cursor of a former stream shows. */
export function positionText(createdAt: Date, { sequence, index }: Position): string {
  return `${createdAt.getTime()}.${sequence}.${index}`;
}

const FORM = /^(\d{1,15})\.([1-9]\d{0,14})\.(\d{1,6})$/;

/** Whether a text has the form of a position. */
export function isPositionText(text: string): boolean {
  return FORM.test(text);
}

/** The parts of a position's text. */
export function readPosition(text: string): { createdAt: Date; position: Position } {
  const [, createdAt, sequence, index] = FORM.exec(text)!;
  return {
    createdAt: new Date(Number(createdAt)),
    position: { sequence: Number(sequence), index: Number(index) },
  };
}
