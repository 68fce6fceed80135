import { Link } from '@tanstack/react-router';
import { type Person, personName } from './personWords.ts';

/** A person by name, as a link to their page. */
export function PersonLink({ projectId, person }: { projectId: string; person: Person }) {
  return (
    <Link to="/projects/$projectId/users/$userId" params={{ projectId, userId: person.id }} dir="auto">
      {personName(person)}
    </Link>
  );
}
