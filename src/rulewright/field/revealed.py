"""The part of a map that everybody may know. Only the gamemaster knows of hidden regions and secret doors."""

from msgspec.structs import replace

from rulewright.field.field import Field, field
from rulewright.field.ground import Changes, Ground, Region, Wall, outline
from rulewright.play.cache import cached


@cached(64)
def known(ground: Ground, changes: Changes) -> Ground:
    """The map without hidden regions and everything in them, and with secret doors as plain wall."""
    veils = [region for region in ground.regions if region.veiled and region.name not in changes.shown]
    walls = tuple([_plain(wall, changes) for wall in ground.walls])
    if not veils and walls == ground.walls:
        return ground
    whole = field(ground)
    return replace(
        ground,
        regions=tuple([region for region in ground.regions if region not in veils and not _only_drawn_under(whole, veils, region)]),
        walls=tuple([wall for wall in walls if not _under(whole, veils, wall.along)]),
        covers=tuple([cover for cover in ground.covers if not _under(whole, veils, outline(cover.box, cover.inside) or (cover.middle,))]),
        lights=tuple([lamp for lamp in ground.lights if not _under(whole, veils, ((lamp.x, lamp.y),))]),
    )


def known_field(ground: Ground, changes: Changes) -> Field:
    """The field of the part that everybody may know."""
    seen = known(ground, changes)
    shut = tuple([name for name in changes.opened if any(wall.name == name for wall in seen.walls)])
    return field(seen, replace(changes, opened=shut, shown=()))


def _plain(wall: Wall, changes: Changes) -> Wall:
    if wall.door != "secret" or wall.name in changes.opened:
        return wall
    return replace(wall, door="", name="")


def _under(whole: Field, veils: list[Region], points: tuple[tuple[float, float], ...]) -> bool:
    """Whether all of a thing lies in one hidden region."""
    return any(all(_holds(whole, veil, point) for point in points) for veil in veils)


def _only_drawn_under(whole: Field, veils: list[Region], region: Region) -> bool:
    """Whether a label or a floor, which no rule reads, lies in a hidden region."""
    if not (region.mark or region.look) or region.terrain or region.level is not None or region.stops:
        return False
    middle = (region.circle[:2],) if region.circle is not None else region.along or outline(region.box, region.inside)
    return _under(whole, veils, middle)


def _holds(whole: Field, veil: Region, point: tuple[float, float]) -> bool:
    if whole.hexes:
        return whole.region_holds(veil, (round(point[0]), round(point[1])))
    return whole.region_holds(veil, point)
