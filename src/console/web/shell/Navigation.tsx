import { Link } from '@tanstack/react-router';
import { Icon } from '../components/Icon.tsx';
import { useMe } from '../data/session.ts';
import css from './Navigation.module.css';
import { placesFor } from './navigation.ts';

export const Navigation = () => (
  <nav aria-label="Pages" className={css.nav}>
    {placesFor(useMe().role).map(({ group, places }) => (
      <div key={group}>
        <p className="menu-title">{group}</p>
        <ul>
          {places.map(({ to, word, icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={`menu-item ${css.link}`}
                activeOptions={{ exact: to === '/', includeSearch: false }}
              >
                <Icon name={icon} />
                {word}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
);
