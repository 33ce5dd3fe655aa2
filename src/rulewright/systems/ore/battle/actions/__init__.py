"""Actions with vehicles: their offers, pools and effects. `registry` lists them."""
