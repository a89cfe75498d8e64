import type { StatedError } from './entry.ts';

export const knowledgeErrors = {
  knowledge_file_not_found: {
    status: 400,
    message: 'The caller can see no file with this key.',
    next: 'Use a key from knowledge.list_visible_files.',
    why: 'The key is wrong, the file was moved or removed, it is a personal file of another Member, or the grant reaches other files alone.',
  },
} as const satisfies Record<string, StatedError>;
